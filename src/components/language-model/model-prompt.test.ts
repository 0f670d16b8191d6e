import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testFiles } from '../step-files.test-kit.ts'
import { type GivenImage, givenImages, imagePart } from './model-prompt.ts'
import type { Model } from './model-providers.ts'

const model = { supportedUrls: {} } as Model
const request = () => assert.fail('nothing is downloaded')

it('takes files and addresses, alone, one per line, or as a list', async (t) => {
  const files = await testFiles(t)
  const photo = await files.add('photo', { filename: 'a.png', contentType: 'image/png' })
  const namesOf = (images: readonly GivenImage[]) =>
    images.map((image) => (typeof image === 'string' ? image : image.filename))
  const [written, address] = [JSON.stringify(photo), 'https://a.example/b.png']
  assert.deepEqual(namesOf(givenImages(written)), ['a.png'])
  assert.deepEqual(namesOf(givenImages(JSON.stringify(photo, null, 2))), ['a.png'])
  assert.deepEqual(namesOf(givenImages(`${written}\n${address}\n`)), ['a.png', address])
  assert.deepEqual(namesOf(givenImages(`[${written}, "${address}", {"base64":"QUJD","filename":"c"}]`)), [
    'a.png',
    address,
    'c'
  ])
  assert.deepEqual(givenImages(' '), [])
})

it('gives a model the bytes of pictures and PDFs, and of nothing else', async (t) => {
  const files = await testFiles(t)
  const partOf = async (value: object) =>
    imagePart(givenImages(JSON.stringify(value))[0]!, model, { request, files })
  const scan = await files.add('%PDF-', { filename: 'scan.pdf', contentType: 'application/pdf' })
  assert.deepEqual(await partOf(scan), {
    type: 'file',
    mediaType: 'application/pdf',
    data: { type: 'data', data: new Uint8Array(Buffer.from('%PDF-')) }
  })
  const inline = await partOf({ base64: 'QUJD', content_type: 'image/png' })
  assert.deepEqual(inline, {
    type: 'file',
    mediaType: 'image/png',
    data: { type: 'data', data: new Uint8Array(Buffer.from('ABC')) }
  })
  const archive = await files.add('x', { filename: 'a.zip', contentType: 'application/zip' })
  await assert.rejects(partOf(archive), { code: 'model_image_invalid' })
  await assert.rejects(partOf({ ...scan, file: `file_${'x'.repeat(22)}` }), { code: 'file_not_found' })
  const large = await files.add(Buffer.alloc(20 * 1024 ** 2 + 1), { contentType: 'image/png' })
  await assert.rejects(partOf(large), { code: 'file_too_large' })
})
