import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const LAYER = /^@layer mantine \{([\s\S]*)\}\s*$/
const NAMED = /import\s*\{([^}]*)\}\s*from\s*["']@mantine\/core["']/g
const RELATIVE = /from\s*["'](\.[^"']+)["']/g

/**
 * Takes the styles of components that the page does not use out of Mantine's sheet: half of it, which everybody would
 * wait for. `page` is the folder of its sources, `packages` the one where Mantine's packages are.
 */
export function mantineStyles(page: string, packages: string): Plugin {
  const core = join(packages, 'core')
  return {
    name: 'millrace:mantine-styles',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (id !== join(core, 'styles.layer.css')) return undefined
      const users = [page, join(packages, 'notifications/esm'), join(packages, 'spotlight/esm')]
      return withoutUnused(core, styledComponents(core, users.flatMap(namesFromMantine)))
    }
  }
}

/** What the files of a folder import from Mantine by name. */
function namesFromMantine(folder: string): string[] {
  const files = globSync('**/*.{ts,tsx,mjs}', { cwd: folder })
  return files.flatMap((file) => {
    const source = readFileSync(join(folder, file), 'utf8')
    return [...source.matchAll(NAMED)].flatMap(([, names]) => names!.split(',').map((name) => name.trim()))
  })
}

/** Those of the components, and of all that they are made of, that have styles. */
function styledComponents(core: string, names: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const styled = new Set<string>()
  const follow = (file: string): void => {
    if (seen.has(file) || !existsSync(file)) return
    seen.add(file)
    if (file.endsWith('.module.mjs')) styled.add(basename(file, '.module.mjs'))
    for (const [, path] of readFileSync(file, 'utf8').matchAll(RELATIVE)) follow(join(dirname(file), path!))
  }
  for (const name of names) follow(join(core, 'esm/components', name, `${name}.mjs`))
  return styled
}

/** Taken out, and not put together: what belongs to no component stays, and so does the order. */
function withoutUnused(core: string, used: ReadonlySet<string>): string {
  const unused = globSync('[A-Z]*.layer.css', { cwd: join(core, 'styles') }).filter(
    (file) => !used.has(basename(file, '.layer.css'))
  )
  const whole = readFileSync(join(core, 'styles.layer.css'), 'utf8')
  return unused.reduce((sheet, file) => {
    const [, styles] = LAYER.exec(readFileSync(join(core, 'styles', file), 'utf8')) ?? []
    if (styles === undefined || !sheet.includes(styles.trim()))
      throw new Error(`${file} is no part of the sheet of Mantine`)
    return sheet.replace(styles.trim(), () => '')
  }, whole)
}
