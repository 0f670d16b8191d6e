import type { StoredFile } from '../../store/files.ts'

/**
 * Types that no browser runs, whoever shows them and however. What is none of them is sent as bytes: a page that makes a picture of
 * what it fetched would run the scripts of an SVG.
 */
const INERT =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp|tiff)|audio\/[\w.-]+|video\/[\w.-]+|text\/(?:plain|csv|markdown)|application\/(?:pdf|json|zip|gzip|msword|rtf|vnd\.ms-[\w.-]+|vnd\.openxmlformats-[\w.-]+|vnd\.oasis\.opendocument[\w.-]+))(?:\s*;|$)/i

/** A download, and nothing else, whatever the file says that it is. */
export function downloadHeaders(file: StoredFile): Record<string, string> {
  return {
    'content-type': INERT.test(file.contentType) ? file.contentType : 'application/octet-stream',
    'content-disposition': attachment(file.filename),
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'accept-ranges': 'bytes',
    etag: etagOf(file)
  }
}

/** The same content is the same, under whatever id. */
export function etagOf({ digest }: Pick<StoredFile, 'digest'>): string {
  return `"${digest}"`
}

/** RFC 6266: for those that read no other, a name in ASCII; for all others the name as it is. */
function attachment(filename: string): string {
  if (filename === '') return 'attachment'
  const plain = filename
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]|["\\%]/gu, '_')
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
