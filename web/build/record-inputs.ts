import { writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Writes down which files of this repository went into the page. scripts/build-page.mjs builds again when one of
 * them has changed, so a change of the service alone costs no build. Beside Vite's own manifest, in a folder that is
 * not served.
 */
export function recordInputs(root: string): Plugin {
  return {
    name: 'millrace:record-inputs',
    apply: 'build',
    async writeBundle({ dir }) {
      const own = [...this.getModuleIds()]
        .map((id) =>
          relative(root, id.replace(/[?#].*$/, ''))
            .split(sep)
            .join('/')
        )
        .filter((path) => !/^(?:\.\.|\0|.*node_modules\/)/.test(path) && !path.includes('\0'))
      await writeFile(join(dir!, '.vite', 'inputs.json'), JSON.stringify([...new Set(own)].sort(), null, 2))
    }
  }
}
