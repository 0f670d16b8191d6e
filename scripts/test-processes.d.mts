export function planProcesses(
  files: readonly { readonly path: string; readonly text: string }[],
  cores: number
): { name: string; paths: string[] }[]

export function processesAtOnce(cores: number): number
