import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Check, Errors } from 'typebox/value'
import { apiRequest } from '../../components/http/api-request.ts'
import { resolveFields } from '../../flows/component/component.ts'
import { connectionFaults } from '../check-connection.ts'
import { missingSettings } from '../kinds/connection-kind.ts'
import { http } from '../kinds/http-kind.ts'
import { Preset } from './preset.ts'
import { PRESETS } from './presets.ts'

/** What people enter themselves. */
const THEIRS = ['base_url', 'client_id', 'user']

describe('presets', () => {
  it('are many, and each has an id and a name of its own', () => {
    assert.ok(PRESETS.length >= 40)
    for (const member of ['id', 'name'] as const)
      assert.equal(new Set(PRESETS.map((preset) => preset[member])).size, PRESETS.length)
  })

  for (const preset of PRESETS) {
    it(`${preset.id} has all that a form, a trial and a node need`, () => {
      assert.ok(Check(Preset, preset), JSON.stringify(Errors(Preset, preset)))
      const { base_url_example: base_url = 'https://a.example', settings } = preset
      const entered = Object.fromEntries(
        missingSettings(http, settings).map((name) => {
          assert.ok(THEIRS.includes(name), `${name} is no setting that people know`)
          return [name, 'entered']
        })
      )
      const whole = { base_url, ...entered, ...settings, preset: preset.id }
      assert.deepEqual(connectionFaults('http', whole, Object.keys(preset.secrets)), [])
      assert.equal('base_url' in settings, preset.base_url_example === undefined, 'one of the two')
      assert.deepEqual(Object.keys(preset.allows ?? {}), preset.scopes, 'what each scope allows is said')
      assert.ok(contrastToWhite(preset.picture.colour) >= 4.5, 'its letters can be read')
    })

    it(`${preset.id} begins with a request that a node can hold`, () => {
      const fields = { connection: preset.id, ...preset.request }
      for (const name of Object.keys(fields)) assert.ok(Object.hasOwn(apiRequest.fields!, name), name)
      assert.deepEqual(apiRequest.check?.(resolveFields(apiRequest, fields as never) as never), [])
    })
  }
})

/** By WCAG. */
function contrastToWhite(colour: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number
  ]
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}
