/** Everything about a pane that says whether a message may be put into it. */
export interface PaneFacts {
  /** `%3`; tmux never gives the same one twice. */
  readonly id: string;
  readonly pid: number;
  readonly title: string;
  /** The program in the foreground by tmux's account; a script's interpreter where a script starts it. */
  readonly command: string;
  readonly path: string;
  readonly isDead: boolean;
  /** Copy mode and the other modes of tmux, which take the keys. */
  readonly isInMode: boolean;
  readonly isInputOff: boolean;
  /** Keys typed here go to other panes too. */
  readonly isSynchronized: boolean;
  readonly isCursorShown: boolean;
  readonly cursor: { readonly x: number; readonly y: number };
  readonly width: number;
  readonly height: number;
  /** Null where tmux is too old to tell (before 3.7). */
  readonly takesBracketedPaste: boolean | null;
  /** The names of the programs that have the terminal; null where the system does not tell (no /proc). */
  readonly foreground: readonly string[] | null;
  /** The screen with its escapes, as `capture-pane -p -e` prints it. */
  readonly screen: string;
  /** The numbers of this moment in one string; tmux can compare it with those of the moment when it acts. */
  readonly fingerprint: string;
}
