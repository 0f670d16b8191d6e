import type { Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk

/** The files without which a module cannot run: its own, and all that it imports. Neither those that it loads later. */
export function filesOf(bundle: Bundle, module: string): { scripts: string[]; styles: string[] } {
  const scripts = new Set<string>()
  const styles = new Set<string>()
  const follow = (chunk: Chunk): void => {
    if (scripts.has(chunk.fileName)) return
    scripts.add(chunk.fileName)
    for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style)
    for (const name of chunk.imports) {
      const imported = bundle[name]
      if (imported?.type === 'chunk') follow(imported)
    }
  }
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const own = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module))
  if (own === undefined) throw new Error(`${module} has no file of its own in the page`)
  follow(own)
  return { scripts: [...scripts], styles: [...styles] }
}
