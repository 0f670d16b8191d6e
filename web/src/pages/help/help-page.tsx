import { lazy, Suspense } from 'react'
import { useParams } from 'react-router'
import { LoadingState } from '../../design/loading-state.tsx'
import { titleOfDoc } from '../../help/docs.ts'
import { HelpContents } from './contents/help-contents.tsx'
import { DocView } from './doc-view.tsx'
import classes from './help.module.css'
import { HelpHome } from './help-home.tsx'

// What it is made of takes no part in reading a document.
const ReferenceRoom = lazy(async () => ({ default: (await import('./reference-room.tsx')).ReferenceRoom }))

/** What Millrace is and does, beside the work: its documents, and the reference of all that this service has. */
export function HelpPage() {
  const place = useParams()['*'] ?? ''
  return (
    <div className={classes.room}>
      <HelpContents place={place} />
      <Suspense
        fallback={
          <div className={classes.article}>
            <LoadingState />
          </div>
        }
      >
        <Shown place={place} />
      </Suspense>
    </div>
  )
}

function Shown({ place }: { readonly place: string }) {
  const [room, member] = place.split('/')
  if (room === 'components' || room === 'api' || room === 'errors')
    return <ReferenceRoom room={room} member={member} />
  if (titleOfDoc(place) !== undefined) return <DocView page={place} />
  return <HelpHome isUnknown={place !== ''} />
}
