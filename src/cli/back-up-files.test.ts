import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { copyFile, rename, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import { newName } from '../files/file-place.test-kit.ts'
import { createFolderPlace } from '../files/folder-place.ts'
import { acceptWithFile } from '../files/stored-files.test-kit.ts'
import { filesFolder } from '../startup/open-file-place.ts'
import { sampleOutcome } from '../store/contract/subject.test-kit.ts'
import { makeFolder } from '../store/sqlite/file/make-folder.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { folderFor, openFor } from '../store/sqlite/sqlite-subject.test-kit.ts'
import { backUpStore } from '../store/sqlite/upkeep/back-up-store.ts'
import { backUp } from './back-up.ts'
import { FilesBackup } from './back-up-files.ts'

async function make(t: TestContext) {
  const { store, folder } = await openFor(t)
  makeFolder(filesFolder(folder))
  const place = createFolderPlace(filesFolder(folder))
  const target = await folderFor(t)
  return {
    store,
    folder,
    place,
    target,
    pathOf: (name: string) => join(filesFolder(folder), name.slice(0, 2), name),
    config: { home: folder, database: null, secretKey: null, files: null },
    /** Accepts a run with a file that holds this text. */
    accept: (text: string) => acceptWithFile(store, place, Buffer.from(text))
  }
}

const namesIn = async (folder: string) =>
  (await Array.fromAsync(createFolderPlace(folder).names())).map(({ name }) => name).sort()

describe('a backup with files', () => {
  it('is restored with them, and says so', async (t) => {
    const { config, target, accept } = await make(t)
    const { file } = await accept('an invoice')
    const said = await backUp(config, 'b.db', target)
    assert.match(
      said,
      /Its files are saved in \S+b\.db\.files: 1 file, 1 KB\.\nTo restore it, .* beside it as files, and/
    )
    const home = await folderFor(t)
    await copyFile(join(target, 'b.db'), join(home, 'millrace.db'))
    await rename(join(target, 'b.db.files'), filesFolder(home))
    const restored = await openSqliteStore({ folder: home })
    t.after(() => restored.close())
    const { name } = (await restored.files.get(file.id))!
    assert.equal(String(await buffer(await createFolderPlace(filesFolder(home)).read(name))), 'an invoice')
    assert.equal((await stat(filesFolder(home))).mode & 0o777, 0o700)
  })

  it('holds what its moment names, whatever a service does meanwhile', async (t) => {
    const { store, folder, target, accept, place } = await make(t)
    const kept = await accept('kept')
    const deleted = await accept('deleted between the two')
    const beforeAll = await accept('deleted before the copy')
    const to = join(target, 'b.db.files')
    const files = new FilesBackup(filesFolder(folder), to)
    let young: Awaited<ReturnType<typeof accept>> | undefined
    const remove = async ({ run, file }: typeof kept) => {
      await store.runs.end(run, sampleOutcome())
      await store.runs.prune({ keep: 0, slice: 10 })
      await store.files.sweep(9_000_000_000_000, 10)
      await place.remove(file.name)
    }
    const { files: saved } = await backUpStore(folder, join(target, 'b.db'), {
      before: async (there) => {
        await files.before(there)
        young = await accept('came meanwhile')
        await remove(beforeAll)
      },
      after: async (named) => {
        await remove(deleted)
        return files.after(named)
      }
    })
    assert.deepEqual(saved.lost, [])
    assert.deepEqual(await namesIn(to), [kept, deleted, young!].map(({ file }) => file.name).sort())
  })

  it('goes on in a folder that one before it left unfinished, and tells what is lost', async (t) => {
    const { config, target, accept, pathOf } = await make(t)
    const [one, other, lost] = [await accept('one'), await accept('other'), await accept('lost')]
    await rm(pathOf(lost.file.name))
    const to = join(target, 'b.db.files')
    makeFolder(to)
    await createFolderPlace(to).write(one.file.name, Readable.from([Buffer.from('one')]))
    await createFolderPlace(to).write(other.file.name, Readable.from([Buffer.from('other')]))
    await truncate(join(to, other.file.name.slice(0, 2), other.file.name), 2)
    await createFolderPlace(to).write(newName(), Readable.from([Buffer.from('of another moment')]))
    const said = await backUp(config, 'b.db', target)
    assert.match(
      said,
      /: 2 files, 1 KB\.\nNot saved, because they are missing or damaged .*: 1 file\. Run: millrace doctor/
    )
    assert.deepEqual(await namesIn(to), [one.file.name, other.file.name].sort())
  })

  it('makes no folder where there are none, and leaves those of an object store there', async (t) => {
    const { config, target, accept } = await make(t)
    assert.doesNotMatch(await backUp(config, 'none.db', target), /files/)
    assert.ok(!existsSync(join(target, 'none.db.files')))
    await accept('an invoice')
    const files = { url: 's3://mill', accessKeyId: 'a', secretAccessKey: 'b', sessionToken: null }
    const said = await backUp({ ...config, files }, 'b.db', target)
    assert.match(said, /Its files \(1 file, 1 KB\) are in the object store of MILLRACE_FILES, and not in it/)
    assert.ok(!existsSync(join(target, 'b.db.files')))
  })
})
