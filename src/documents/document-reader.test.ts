import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { writeOds } from 'hucre/ods'
import { writeXlsx } from 'hucre/xlsx'
import { systemClock } from '../clock.ts'
import type { DocumentTask } from '../flows/step/step-documents.ts'
import { DocumentReader } from './document-reader.ts'
import { madeDocx, madePdf, madePptx, madeXlsx, madeZip } from './made-documents.test-kit.ts'
import { ask, EXTRACT, readWith } from './read-documents.test-kit.ts'

describe('documents', () => {
  const reader = new DocumentReader({ clock: systemClock() })
  after(() => reader.close())

  async function extract(
    content: string | Uint8Array,
    filename = '',
    more: { contentType?: string; sheets?: string[]; hasHeader?: boolean } = {}
  ): Promise<unknown> {
    const { contentType = '', ...task } = more
    return (
      await readWith(reader, { ...EXTRACT, ...task } as DocumentTask, { content, filename, contentType })
    )[0]
  }

  it('of PDF are read page by page', async () => {
    const pages = ['Invoice 7\nTotal 12.50', 'Thanks']
    assert.deepEqual(await extract(madePdf([['Invoice 7', 'Total 12.50'], ['Thanks']])), {
      text: pages.join('\n\n'),
      data: { type: 'pdf', pages }
    })
    assert.deepEqual(await extract(madePdf([[]])), {
      text: '',
      data: { type: 'pdf', pages: [''], has_text: false }
    })
  })

  it('of Word and PowerPoint give their paragraphs, cells of a row beside each other', async () => {
    const text = (words: string) => `<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`
    const table = `<w:tbl><w:tr><w:tc>${text('1')}</w:tc><w:tc>${text('2')}</w:tc></w:tr></w:tbl>`
    const page = 'A & B\n1\t2\nend'
    assert.deepEqual(await extract(madeDocx(`${text('A &amp; B')}${table}${text('end')}`)), {
      text: page,
      data: { type: 'docx', pages: [page] }
    })
    const slides = Array.from({ length: 11 }, (_, at) => `Slide ${at + 1}`)
    assert.deepEqual(await extract(madePptx(slides)), {
      text: slides.join('\n\n'),
      data: { type: 'pptx', pages: slides }
    })
  })

  it('of tens of thousands of cells or columns are read in a moment', async () => {
    const cell = '<w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>'
    const { text } = (await extract(madeDocx(`<w:tbl><w:tr>${cell.repeat(80_000)}</w:tr></w:tbl>`))) as {
      readonly text: string
    }
    assert.equal(text.length, 159_999)
    const columns = (await extract(`${'a,'.repeat(30_000)}a\n1`, 'wide.csv')) as {
      readonly data: { readonly sheets: { readonly wide: readonly object[] } }
    }
    assert.equal(Object.keys(columns.data.sheets.wide[0]!).at(-1), 'a_30001')
  })

  it('of spreadsheets give the rows of each sheet', async () => {
    const sheets = [
      {
        name: 'Orders',
        rows: [
          ['id', 'at', ''],
          [7, new Date('2026-03-02'), true]
        ]
      },
      {
        name: 'Other',
        rows: [
          ['x', 'x'],
          ['a', 'b']
        ]
      }
    ]
    const orders = [{ id: 7, at: '2026-03-02', column_3: true }]
    const all = { Orders: orders, Other: [{ x: 'a', x_2: 'b' }] }
    for (const [type, content] of [
      ['xlsx', await writeXlsx({ sheets })],
      ['ods', await writeOds({ sheets })]
    ] as const) {
      const read = (await extract(content)) as { text: string; data: unknown }
      assert.deepEqual(read.data, { type, sheets: all })
      assert.match(read.text, /^Orders\nid\tat\t?\n7\t2026-03-02\ttrue\n\nOther\nx\tx\na\tb$/)
      const one = (await extract(content, '', { sheets: ['Other'], hasHeader: false })) as typeof read
      assert.deepEqual(one.data, {
        type,
        sheets: {
          Other: [
            ['x', 'x'],
            ['a', 'b']
          ]
        }
      })
      assert.match(
        String(await extract(content, '', { sheets: ['Nope'] })),
        /^document_unknown: .*"Orders", "Other"/
      )
    }
    assert.deepEqual(await extract('a;b\n"1;""x"\r\n2;3', 'stock.csv'), {
      text: 'a\tb\n1;"x\n2\t3',
      data: {
        type: 'csv',
        sheets: {
          stock: [
            { a: '1;"x', b: null },
            { a: '2', b: '3' }
          ]
        }
      }
    })
    assert.deepEqual(((await extract('a,b\n"x" y,z', 's.csv')) as { text: string }).text, 'a\tb\nx y\tz')
  })

  it('of mail give who wrote, what, and what is attached', async () => {
    const mail = [
      'From: Ann <ann@example.com>',
      'To: orders@example.com',
      'Subject: =?utf-8?q?H=C3=A9?=',
      'Date: Mon, 02 Mar 2026 10:00:00 +0000',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/html',
      '',
      '<p>Hello <b>you</b></p>',
      '--b',
      'Content-Type: application/pdf',
      'Content-Disposition: attachment; filename="a.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      'QUJD',
      '--b--',
      ''
    ].join('\r\n')
    assert.deepEqual(await extract(mail, 'order.eml'), {
      text: 'Hello you',
      data: {
        type: 'eml',
        subject: 'Hé',
        from: 'Ann <ann@example.com>',
        to: ['orders@example.com'],
        cc: [],
        date: '2026-03-02T10:00:00.000Z',
        message_id: null,
        text: 'Hello you',
        html: '<p>Hello <b>you</b></p>\n',
        attachments: [{ filename: 'a.pdf', content_type: 'application/pdf', base64: 'QUJD' }]
      }
    })
  })

  it('of the web and plain ones give their text, in whatever letters they are written', async () => {
    const page =
      '<!doctype html><title>Ti</title><style>x{}</style><h1>A</h1><p>b\n<i>c</i><script>d</script>'
    assert.deepEqual(await extract(page), {
      text: 'A\n\nb c',
      data: { type: 'html', title: 'Ti', pages: ['A\n\nb c'] }
    })
    const text = (content: Uint8Array, contentType = '') =>
      extract(content, 'a.txt', { contentType }).then((read) => (read as { text: string }).text)
    assert.equal(await text(Buffer.from([0xe4, 0x20]), 'text/plain; charset=iso-8859-1'), 'ä ')
    assert.equal(await text(Buffer.from([0x80])), '€')
    assert.equal(await text(Buffer.from('\ufeffé', 'utf16le')), 'é')
  })

  it('of spreadsheets that span more than can be read say so', async () => {
    const cell = (at: string, row: number) => `<row r="${row}"><c r="${at}${row}"><v>7</v></c></row>`
    assert.deepEqual(await extract(madeXlsx(cell('A', 1)), '', { hasHeader: false }), {
      text: '7',
      data: { type: 'xlsx', sheets: { A: [[7]] } }
    })
    assert.match(String(await extract(madeXlsx(cell('XFD', 1_048_576)))), /^document_too_large: A sheet/)
  })

  it('that cannot be read say why, each by itself', async () => {
    const encrypted = madePdf([['x']], { isEncrypted: true })
    assert.match(String(await extract(encrypted)), /^document_encrypted: The PDF is protected/)
    const office = Buffer.concat([Buffer.from('d0cf11e0', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')])
    assert.match(String(await extract(office)), /^document_encrypted: /)
    assert.match(String(await extract(office.subarray(0, 8))), /^document_unknown: .*before 2007/)
    assert.match(String(await extract('%PDF-1.7 and no more')), /^document_broken: This is not a PDF/)
    assert.match(String(await extract('PK\u0003\u0004 and no more')), /^document_broken: .*ZIP/)
    assert.match(String(await extract(madeDocx('<w:p>'))), /^document_broken: This is not a DOCX/)
    assert.match(String(await extract(madeDocx('<w:p>'.repeat(20_000)))), /nested too deep/)
    assert.match(String(await extract(madeZip([{ name: 'a', content: 'b' }]))), /^document_unknown: .*ZIP/)
    assert.match(
      String(await extract(Buffer.from([0, 1, 2]), 'a.bin')),
      /^document_unknown: The file "a.bin"/
    )
  })

  it('of XML, feeds and Markdown become data and texts', async () => {
    const xml =
      '<?xml version="1.0"?><o id="1"><l>a</l><l>b &lt;</l><n>t<i/>u</n><__proto__>p</__proto__></o>'
    const [data, ...broken] = await readWith(
      reader,
      { kind: 'xml' },
      { content: xml },
      { content: '<a><b></a>' },
      { content: '<a>'.repeat(100_000) },
      { content: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>' }
    )
    const members = '{"@id":"1","l":["a","b <"],"n":{"i":"","#text":"tu"},"__proto__":"p"}'
    assert.equal(JSON.stringify(data), `{"o":${members}}`)
    for (const each of broken) assert.match(String(each), /^document_broken: This is not XML/)
    const rss =
      '<rss version="2.0"><channel><item><guid>1</guid><title>A &amp; B</title><link>https://a.example/1</link><pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate><description>d</description></item></channel></rss>'
    const atom =
      '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>2</id><title>T</title><link href="https://a.example/2"/><updated>2026-03-02T10:00:00Z</updated></entry></feed>'
    const at = '2026-03-02T10:00:00.000Z'
    assert.deepEqual(await readWith(reader, { kind: 'feed' }, { content: rss }, { content: atom }), [
      [{ id: '1', title: 'A & B', link: 'https://a.example/1', published: at, content: 'd' }],
      [{ id: '2', title: 'T', link: 'https://a.example/2', published: at, content: null }]
    ])
    const [page, cut] = await readWith(
      reader,
      { kind: 'feed' },
      { content: '<html/>' },
      { content: '<rss><cha' }
    )
    for (const each of [page, cut]) assert.match(String(each), /^document_broken: This is not a feed/)
    const markdown = '# A\n\n<b>x</b> [l](javascript:x)\n\n|a|\n|-|\n|1|'
    const [html] = await readWith(reader, { kind: 'markdown-html' }, { content: markdown })
    assert.match(String(html), /<h1>A<\/h1>\n<p>&lt;b&gt;x&lt;\/b&gt; \[l\]\(javascript:x\)<\/p>\n<table>/)
  })

  it('of HTML become Markdown, without what runs', async () => {
    const cases: readonly [html: string, markdown: string][] = [
      ['<h2>A <em>b</em></h2>text <strong>c </strong>d<br>e', '## A *b*\n\ntext **c** d  \ne'],
      ['<ul><li>a<ol><li>b</ol><li>c</ul>', '- a\n  1. b\n- c'],
      ['<a href="javascript:x()">a</a> <a href=" /b(1) ">b</a>', 'a [b](/b%281%29)'],
      [
        '<img src="data:x" alt="p"><img src="https://a.example/x.png" alt="q">',
        'p![q](https://a.example/x.png)'
      ],
      ['<pre>x\n``` y</pre><code>z</code>', '````\nx\n``` y\n````\n\n`z`'],
      ['<blockquote><p>a<p>b</blockquote>', '> a\n>\n> b'],
      ['<table><tr><th>a|b<th>c<tr><td>1</table>', '| a\\|b | c |\n| --- | --- |\n| 1 |  |'],
      ['<p># *not* a heading', '\\# \\*not\\* a heading']
    ]
    const given = cases.map(([content]) => ({ content }))
    assert.deepEqual(
      await readWith(reader, { kind: 'html-markdown' }, ...given),
      cases.map(([, markdown]) => markdown)
    )
    const deep = { content: '<div>'.repeat(5_000) }
    assert.match(
      String((await readWith(reader, { kind: 'html-text' }, deep))[0]),
      /^document_broken: .*deeper/
    )
  })

  it('of HTML give values by selectors', async () => {
    const page = { content: '<h1> A\n b</h1><ul><li><a href="/1">one</a><li id=x>two</ul>' }
    const select = (each: string, values: Record<string, string>) =>
      readWith(reader, { kind: 'select', each, values }, page).then(([first]) => first)
    const values = { title: 'h1', link: 'a@href', mail: 'a[href*="@"]@href', none: '.no' }
    assert.deepEqual(await select('', values), { title: 'A b', link: '/1', mail: null, none: null })
    assert.deepEqual(await select('li', { id: '@id', text: '', link: ':scope > a' }), [
      { id: null, text: 'one', link: 'one' },
      { id: 'x', text: 'two', link: null }
    ])
    assert.deepEqual(await select('li', {}), ['one', 'two'])
    assert.match(String(await select('', { a: 'a[[' })), /is not a CSS selector/)
  })

  it('are refused where what comes of them is too long', async () => {
    const given = [{ content: '<p>abc' }]
    assert.deepEqual(await ask(reader, { kind: 'html-text' }, given, { mostCharacters: 5 }), {
      kind: 'too-long'
    })
  })
})
