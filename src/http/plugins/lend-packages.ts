import * as module from 'node:module'

/** What a plugin's file may import with nothing installed beside it: for `share`, and what does the same. */
const LENT: ReadonlySet<string> = new Set(['millrace', 'fastify-plugin'])

/**
 * Until `end` is called, a file that does not find these packages has Millrace's own. A plugin in one file, anywhere on the
 * disk, needs no folder of packages to call `share`. What is installed beside it goes before.
 */
export class LentPackages {
  // Not before Node 22.15, where a plugin has what is installed beside it.
  readonly #hooks = (module as Partial<typeof module>).registerHooks?.({
    resolve: (name, context, next) => {
      if (!LENT.has(name)) return next(name, context)
      try {
        return next(name, context)
      } catch (error) {
        const own = ownAddress(name)
        if (own === undefined) throw error
        return { url: own, shortCircuit: true }
      }
    }
  })

  end(): void {
    this.#hooks?.deregister()
  }
}

/** Undefined where it is not installed: `fastify-plugin` comes with a clone alone. */
function ownAddress(name: string): string | undefined {
  try {
    return import.meta.resolve(name)
  } catch {
    return undefined
  }
}
