import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileFault } from './file-fault.ts'

async function faultOf(path: string): Promise<string> {
  return readFile(path).then(() => 'none', fileFault)
}

test('what a person typed wrongly is said in words; what is rare, as the system says it', async () => {
  assert.equal(await faultOf('/there-is-no-such-file'), 'it is not there')
  assert.equal(await faultOf(import.meta.dirname), 'it is a folder')
  assert.equal(await faultOf(`${import.meta.filename}/below`), 'there is a file where a folder is meant')
  assert.equal(fileFault(new Error('EIO: i/o error, read')), 'EIO: i/o error, read')
})
