import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into every process that `broadside start` runs. Standard input is a pipe from the supervisor, which ends when
 * the supervisor does, even by SIGKILL. The process then stops as if it had received SIGTERM.
 */
// It is loaded into each worker thread too, whose standard input is not the pipe.
if (isMainThread) {
  process.stdin.once('close', stop)
  process.stdin.once('error', stop)
  process.stdin.resume()
  // Waiting for the end of the pipe does not keep the process running.
  process.stdin.unref()
}

function stop(): void {
  // Under `node --watch`, the parent is the watcher, which would wait for a change of the code.
  if (process.env['WATCH_REPORT_DEPENDENCIES']) process.kill(process.ppid, 'SIGTERM')
  process.kill(process.pid, 'SIGTERM')
}
