import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BadDocument } from './document-fault.ts'

/** A clone has them. The published package has none: whoever reads such documents installs it. */
const DOCUMENT_PACKAGES = {
  unpdf: { reads: 'PDF', major: 1 },
  hucre: { reads: 'spreadsheets (XLSX, ODS)', major: 1 }
} as const

/** What is beside Millrace, else in the folder that it is started in, as packages of models are: see model-packages.ts. */
export async function optionalPackage<T>(
  name: keyof typeof DOCUMENT_PACKAGES,
  own: () => Promise<T>,
  path: string = name,
  folder = process.cwd()
): Promise<T> {
  try {
    return await own()
  } catch (error) {
    if (!isMissing(error)) throw error
    const address = addressIn(folder, path)
    if (address === undefined) throw missing(name, folder)
    return import(address) as Promise<T>
  }
}

function missing(name: keyof typeof DOCUMENT_PACKAGES, folder: string): BadDocument {
  const { reads, major } = DOCUMENT_PACKAGES[name]
  return new BadDocument(
    'document_package_missing',
    `To read ${reads} the package ${name} is needed, which is not installed. Run "npm install ${name}@${major}" in ${folder}, then try again.`
  )
}

function addressIn(folder: string, path: string): string | undefined {
  try {
    return pathToFileURL(createRequire(join(folder, 'package.json')).resolve(path)).href
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isMissing(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}
