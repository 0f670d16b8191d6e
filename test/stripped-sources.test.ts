import assert from 'node:assert/strict'
import { rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { StrippedSources, writeStripped } from '../scripts/stripped-sources.mjs'
import { temporaryFolder } from './support/stage.ts'

const LONG_AGO = new Date(1_700_000_000_000)

describe('sources without their types', () => {
  it('are told as long as the source stands as it did', async (t) => {
    const folder = await temporaryFolder(t)
    const base = pathToFileURL(`${folder}/`).href
    const write = async (name: string, text: string, at = LONG_AGO) => {
      await writeFile(join(folder, name), text)
      await utimes(join(folder, name), at, at)
    }
    const long = `export const words: string = '${'ü€'.repeat(40_000)}'`
    await write('a.ts', 'export const one: number = 1')
    await write('long.ts', long)
    await write('gone.ts', 'export {}')
    await write('new.ts', 'export const two: number = 2', new Date())
    const path = join(folder, 'stripped')
    writeStripped(path, base, ['a.ts', 'long.ts', 'gone.ts', 'new.ts'])
    const stripped = new StrippedSources(path, base)
    const textOf = (name: string) => stripped.of(base + name)?.split('\n')[0]
    assert.equal(textOf('long.ts'), long.replace(': string', '        '))
    assert.equal(textOf('a.ts'), 'export const one         = 1')
    assert.equal(
      textOf('new.ts'),
      undefined,
      'what was changed just now may look the same after the next change'
    )
    await rm(join(folder, 'gone.ts'))
    assert.equal(textOf('gone.ts'), undefined)
    await write('a.ts', 'export const one: number = 2', new Date(LONG_AGO.getTime() + 1))
    assert.equal(textOf('a.ts'), undefined)
    await write('long.ts', `${long} `)
    assert.equal(textOf('long.ts'), undefined)
    assert.equal(textOf('absent.ts'), undefined)
    assert.equal(stripped.of('node:fs'), undefined)
  })

  it('are none where none were written', async (t) => {
    const folder = await temporaryFolder(t)
    const base = pathToFileURL(`${folder}/`).href
    const stripped = new StrippedSources(join(folder, 'absent'), base)
    assert.equal(stripped.of(`${base}a.ts`), undefined)
  })
})
