import { ReferenceLines } from './reference-lines.tsx'
import { WireHint } from './wire-hint.tsx'

/** What the canvas tells of what is under the pointer. */
export function CanvasHints() {
  return (
    <>
      <WireHint />
      <ReferenceLines />
    </>
  )
}
