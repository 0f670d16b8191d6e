/** Milliseconds for which this thread has worked: on a busy machine others have the processors meanwhile. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
