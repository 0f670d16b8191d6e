import { lazy, Suspense } from 'react'
import type { FileValue } from '../../../src/flows/file-value.ts'
import { withSignsShown } from '../../../src/flows/template/signs-shown.ts'
import { byteSize } from '../design/byte-size.ts'
import type { FileViewProps } from './file-view.tsx'

const FileView = lazy(() =>
  import('./file-view.tsx').then(
    ({ FileView }) => ({ default: FileView }),
    () => ({ default: FileWords })
  )
)

/** A file as what it is: a picture, a page, a table, the beginning of a text, or its name. What draws them is loaded with the first. */
export function ShownFile(props: FileViewProps) {
  return (
    <Suspense fallback={<FileWords {...props} />}>
      <FileView {...props} />
    </Suspense>
  )
}

export function ShownFiles({ files }: { readonly files: readonly FileValue[] }) {
  return files.map((file) => <ShownFile key={file.file} file={file} />)
}

function FileWords({ file: { filename, content_type, size } }: FileViewProps) {
  return (
    <span>
      {withSignsShown(filename)} · {withSignsShown(content_type)} · {byteSize(size)}
    </span>
  )
}
