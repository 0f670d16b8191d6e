import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../../test/support/stage.ts'
import { profilePath, readProfiles, writeProfiles } from './profile-file.ts'

const KEPT = { current: 'a', profiles: { a: { url: 'http://a.example', key: 'key-of-a' } } }

describe('the file of profiles', () => {
  it('is where the system keeps such files', () => {
    assert.equal(profilePath({}, '/home/ann', 'linux'), '/home/ann/.config/millrace/profiles.json')
    assert.equal(profilePath({ XDG_CONFIG_HOME: '/x' }, '/home/ann', 'linux'), '/x/millrace/profiles.json')
    assert.equal(profilePath({ APPDATA: '/data' }, '/home/ann', 'win32'), '/data/millrace/profiles.json')
  })

  it('is read as it was written, by nobody else, and leaves nothing beside it', async (t) => {
    const path = join(await temporaryFolder(t), 'config/millrace/profiles.json')
    assert.deepEqual(await readProfiles(path), { current: null, profiles: {} })
    await writeProfiles(path, KEPT)
    await writeProfiles(path, KEPT)
    assert.deepEqual(await readProfiles(path), KEPT)
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    assert.equal((await stat(dirname(path))).mode & 0o777, 0o700)
    assert.deepEqual(await readdir(dirname(path)), ['profiles.json'])
  })

  it('is refused where others may read it, or where it is something else', async (t) => {
    const path = join(await temporaryFolder(t), 'profiles.json')
    await writeProfiles(path, KEPT)
    await chmod(path, 0o644)
    await assert.rejects(readProfiles(path), /Others may read .*chmod 600/)
    await writeFile(path, 'not JSON')
    await chmod(path, 0o600)
    await assert.rejects(readProfiles(path), /cannot be read as profiles/)
    const folder = join(await temporaryFolder(t), 'profiles.json')
    await mkdir(folder, { mode: 0o700 })
    await assert.rejects(readProfiles(folder), /cannot be read/)
  })
})
