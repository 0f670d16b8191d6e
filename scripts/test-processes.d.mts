export function planProcesses(
  files: readonly { readonly path: string; readonly text: string }[],
  lanes: number
): { name: string; paths: string[] }[]
