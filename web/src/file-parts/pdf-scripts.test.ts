import assert from 'node:assert/strict'
import { it } from 'node:test'
import { mayRunScripts } from './pdf-scripts.ts'

const runs = (content: string) => mayRunScripts(new TextEncoder().encode(`%PDF-1.4\n${content}\n%%EOF`))

it('a PDF may run scripts where it names one, or what could hide one', () => {
  for (const content of [
    '<</S/JavaScript/JS(app.alert(1))>>',
    '<</S /JavaScript /JS 5 0 R>>',
    '<</S/J#61vaScript/J#53(app.alert(1))>>',
    '<</Type/ObjStm/N 3/First 20/Filter/FlateDecode>>',
    '<</Type/#4FbjStm>>',
    '<</AcroForm<</XFA 7 0 R>>>>',
    '<</Encrypt 9 0 R>>'
  ])
    assert.ok(runs(content), content)
})

it('one of pages, pictures and text alone runs none', () => {
  for (const content of [
    '<</Type/Page/MediaBox[0 0 300 200]/Contents 5 0 R>>',
    '<</Type/XObject/Subtype/Image/Filter/DCTDecode>>',
    '(Invoice #4711 from JS Ltd.) Tj',
    '<</BaseFont/Arial#20Bold>>',
    '<</Type/ObjStmOfOthers>>'
  ])
    assert.ok(!runs(content), content)
})
