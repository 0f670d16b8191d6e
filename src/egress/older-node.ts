import { createRequire } from 'node:module'

type HttpClientModule = typeof import('./http-client.ts')

/**
 * undici 8 takes hold of zstd when it is loaded, which Node has from 22.15 on; a package runs on the Node that is there,
 * from 22.13 on. There it gets a stand-in for that moment, and nobody else sees it. To go when those versions do.
 */
export async function onAnyNode(load: () => Promise<HttpClientModule>): Promise<HttpClientModule> {
  const zlib = createRequire(import.meta.url)('node:zlib') as { createZstdDecompress?: () => never }
  if (zlib.createZstdDecompress !== undefined) return load()
  zlib.createZstdDecompress = () => {
    throw new Error(`Node ${process.versions.node} cannot read zstd. Install Node 22.15 or newer.`)
  }
  try {
    return await load()
  } finally {
    delete zlib.createZstdDecompress
  }
}
