/** A group that may repeat: its pattern tries every way to cut a path into repetitions. */
export const REPEATED_GROUP: RegExp = /[+*]\(|\)[*{]|[)}\]]\+/;
