import assert from 'node:assert/strict'
import { it } from 'node:test'
import { charsetInside } from './charset-inside.ts'

it('markup names its character set, and none that it cannot be in', () => {
  const named: Readonly<Record<string, string | undefined>> = {
    '<?xml version="1.0" encoding="windows-1251"?><a/>': 'windows-1251',
    "\n<?xml version='1.0' encoding='koi8-r' ?>": 'koi8-r',
    '<!doctype html><meta charset=iso-8859-1>': 'iso-8859-1',
    '<meta http-equiv="Content-Type" content="text/html; charset=gbk">': 'gbk',
    // Serializers of .NET write it of texts that are sent as UTF-8.
    '<?xml version="1.0" encoding="utf-16"?><a/>': undefined,
    '<a>charset</a>': undefined,
    'charset=koi8-r': undefined,
    '': undefined
  }
  for (const [text, charset] of Object.entries(named))
    assert.equal(charsetInside(Buffer.from(text)), charset, text)
})
