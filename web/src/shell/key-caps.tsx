import { Kbd } from '@mantine/core'
import { Fragment } from 'react'
import { keyCaps } from './shortcut.ts'
import { isMac } from './shortcut-keys.ts'

/** A shortcut, drawn as keys. */
export function KeyCaps({ keys }: { readonly keys: string }) {
  const presses = keyCaps(keys, isMac)
  return (
    <span>
      {presses.map((caps, index) => (
        <Fragment key={caps.join()}>
          {index > 0 ? ' then ' : null}
          {caps.map((cap) => (
            <Kbd key={cap} size="xs" mx={1}>
              {cap}
            </Kbd>
          ))}
        </Fragment>
      ))}
    </span>
  )
}
