import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { Plugin } from 'vite'

const LAYER = /^@layer mantine \{([\s\S]*)\}\s*$/

/**
 * Lets every component of Mantine bring its own styles: they are then in the file that has the component, and come when
 * it does. Mantine's sheet has those of all components, and everybody would wait for them; what is left of it here
 * belongs to none. A component imports those that it is made of, so their styles stand before its own, as in the sheet.
 *
 * `core` is the folder of @mantine/core.
 */
export function mantineStyles(core: string): Plugin {
  return {
    name: 'millrace:mantine-styles',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      return id === join(core, 'styles.layer.css') ? withoutComponents(core) : undefined
    },
    transform(code, id) {
      // The names of the classes of one component.
      if (!id.startsWith(join(core, 'esm')) || !id.endsWith('.module.mjs')) return undefined
      const sheet = join(core, 'styles', `${basename(id, '.module.mjs')}.layer.css`)
      const path = relative(dirname(id), sheet).split(sep).join('/')
      return { code: `import ${JSON.stringify(path)}\n${code}`, map: null }
    }
  }
}

/** Taken out, and not put together: what belongs to no component stays, and so does the order. */
function withoutComponents(core: string): string {
  const whole = readFileSync(join(core, 'styles.layer.css'), 'utf8')
  return globSync('[A-Z]*.layer.css', { cwd: join(core, 'styles') }).reduce((sheet, file) => {
    const [, styles] = LAYER.exec(readFileSync(join(core, 'styles', file), 'utf8')) ?? []
    if (styles === undefined || !sheet.includes(styles.trim()))
      throw new Error(`${file} is no part of the sheet of Mantine`)
    return sheet.replace(styles.trim(), () => '')
  }, whole)
}
