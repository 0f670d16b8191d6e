const LOOK_MS = 500

/**
 * npx starts a command in a shell. Told to end, it tells the shell, which ends and tells nobody: the service would live
 * on, unseen, and hold the port. It ends when the shell has.
 */
export function endWithNpx() {
  if (process.env.npm_command !== 'exec' || process.platform === 'win32') return
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    process.kill(process.pid, 'SIGTERM')
  }, LOOK_MS)
  look.unref()
}
