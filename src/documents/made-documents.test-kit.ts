import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

/** Documents made by hand, as small as they can be, and bombs. */

interface ZipPart {
  readonly name: string
  readonly content: string | Uint8Array
  /** What it says to be long, where that is not so. */
  readonly saidSize?: number
}

export function madeZip(parts: readonly ZipPart[]): Uint8Array {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const { name, content, saidSize } of parts) {
    const bytes = Buffer.from(content as string)
    const packed = deflateRawSync(bytes)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(8, 4)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(saidSize ?? bytes.length, 18)
    facts.writeUInt16LE(name.length, 22)
    const head = Buffer.concat([Buffer.from('PK\u0003\u0004'), facts, Buffer.from(name)])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    central.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), facts, rest, Buffer.from(name)]))
    local.push(head, packed)
    offset += head.length + packed.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, directory, end])
}

export function madeDocx(body: string): Uint8Array {
  return madeZip([
    { name: 'word/document.xml', content: `<w:document><w:body>${body}</w:body></w:document>` }
  ])
}

/** One sheet of these rows, as XML. */
export function madeXlsx(rows: string): Uint8Array {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const links = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const linked = (type: string, target: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${links}/${type}" Target="${target}"/></Relationships>`
  return madeZip([
    {
      name: '[Content_Types].xml',
      content: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
    },
    { name: '_rels/.rels', content: linked('officeDocument', 'xl/workbook.xml') },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${main}" xmlns:r="${links}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`
    },
    { name: 'xl/_rels/workbook.xml.rels', content: linked('worksheet', 'worksheets/sheet1.xml') },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`
    }
  ])
}

export function madePptx(slides: readonly string[]): Uint8Array {
  const parts = slides.map((text, at) => ({
    name: `ppt/slides/slide${at + 1}.xml`,
    content: `<p:sld><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`
  }))
  return madeZip([{ name: 'ppt/presentation.xml', content: '<p:presentation/>' }, ...parts])
}

interface PdfOptions {
  /** Protected by a password that nobody knows. */
  readonly isEncrypted?: boolean
}

/** A page for each list of lines. */
export function madePdf(pages: readonly (readonly string[])[], options: PdfOptions = {}): Uint8Array {
  return pdfOf(
    pages.map((lines) => {
      const shown = lines.map((line, at) => `1 0 0 1 50 ${780 - at * 14} Tm (${line}) Tj`).join('\n')
      return Buffer.from(`BT /F1 11 Tf\n${shown}\nET`)
    }),
    options
  )
}

/** A fifth of a megabyte that unpacks to two hundred. */
export function bombPdf(): Uint8Array {
  return pdfOf([Buffer.alloc(200 * 1024 ** 2, ' ')])
}

function pdfOf(contents: readonly Buffer[], { isEncrypted = false }: PdfOptions = {}): Uint8Array {
  const kids = contents.map((_, at) => `${4 + at * 2} 0 R`).join(' ')
  const objects: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  ]
  for (const [at, content] of contents.entries()) {
    const packed = deflateSync(content, { level: 9 })
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + at * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`
      ),
      Buffer.concat([
        Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
        packed,
        Buffer.from('\nendstream')
      ])
    )
  }
  if (isEncrypted) {
    const key = '41'.repeat(32)
    objects.push(Buffer.from(`<< /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >>`))
  }
  return writtenPdf(objects, isEncrypted)
}

function writtenPdf(objects: readonly Buffer[], isEncrypted: boolean): Uint8Array {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  let length = parts[0]!.length
  for (const [at, object] of objects.entries()) {
    offsets.push(length)
    const written = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    parts.push(written)
    length += written.length
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const encrypt = isEncrypted ? ` /Encrypt ${objects.length} 0 R /ID [<41> <41>]` : ''
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${encrypt} >>\nstartxref\n${length}\n%%EOF\n`
    )
  )
  return Buffer.concat(parts)
}
