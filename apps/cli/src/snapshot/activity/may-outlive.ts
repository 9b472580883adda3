/** Whether a command line may leave something running: in the background, or under a process manager. */
export function mayOutlive(command: string): boolean {
  const bare = command.replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/gs, "");
  return SIGNS.some((sign) => sign.test(bare));
}

const SIGNS: readonly RegExp[] = [
  // A single `&`, neither `&&` nor part of a redirection.
  /(?<![&>\\|])&(?![&>])/,
  /(?:^|[\s;(|&])(?:nohup|setsid|disown|tmux|screen|daemonize|at|batch|pm2|systemctl|systemd-run)(?:\s|$)/m,
  /\bdocker(?:-|\s+)compose\b.*\s(?:-d|--detach)\b|\bdocker\s+run\b.*\s(?:-d|--detach)\b/s,
];
