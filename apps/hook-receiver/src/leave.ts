/**
 * Ends the process with exit code 0.
 *
 * While the system is asked for more of stdin, exiting would wait for an answer that may never come. The process then
 * becomes another program that ends at once.
 */
export function leave(isReading: boolean): never {
  if (isReading) becomeNothing();
  process.exit(0);
}

function becomeNothing(): void {
  try {
    process.execve?.(process.execPath, [process.execPath, "-e", "0"], {});
  } catch {
    // Where it may not, being killed is better than to hang the agent.
  }
  process.kill(process.pid, "SIGKILL");
}
