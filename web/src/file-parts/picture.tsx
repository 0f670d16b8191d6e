import { Modal, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import type { FileValue } from '../../../src/flows/file-value.ts'
import { plainType } from './file-kind.ts'
import classes from './file-view.module.css'
import { useBlobAddress } from './use-blob-address.ts'

interface PictureProps {
  readonly file: FileValue
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly isSmall: boolean
}

/**
 * Small at first; a click shows it in the room that there is. Only ever as the picture of an `img`, which runs nothing. A drawing
 * in SVG is given by a `data:` address, because whoever opens that in a window of its own has it at no origin: a `blob:` would
 * be of ours.
 */
export function Picture(props: PictureProps) {
  return plainType(props.file.content_type) === 'image/svg+xml' ? (
    <Drawn
      {...props}
      address={`data:image/svg+xml,${encodeURIComponent(new TextDecoder().decode(props.bytes))}`}
    />
  ) : (
    <Painted {...props} />
  )
}

function Painted(props: PictureProps) {
  const address = useBlobAddress(props.bytes, plainType(props.file.content_type))
  return address === undefined ? null : <Drawn {...props} address={address} />
}

function Drawn({ file, isSmall, address }: PictureProps & { readonly address: string }) {
  const [isOpen, setOpen] = useState(false)
  const [isBroken, setBroken] = useState(false)
  if (isBroken)
    return <p className={classes.note}>It cannot be shown: it is not the picture that it is said to be.</p>
  return (
    <>
      <UnstyledButton
        className={classes.thumbnail}
        data-small={isSmall || undefined}
        onClick={() => setOpen(true)}
        aria-label={`Show ${file.filename} in full`}
      >
        <img src={address} alt={file.filename} onError={() => setBroken(true)} />
      </UnstyledButton>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={file.filename} size="auto" centered>
        <img className={classes.full} src={address} alt={file.filename} />
      </Modal>
    </>
  )
}
