import { ApiView, ComponentsView, ErrorsView } from './reference-views.tsx'

interface ReferenceRoomProps {
  readonly room: 'components' | 'api' | 'errors'
  /** A type, or the id of an operation. */
  readonly member: string | undefined
}

export function ReferenceRoom({ room, member }: ReferenceRoomProps) {
  if (room === 'components') return <ComponentsView type={member} />
  return room === 'api' ? <ApiView operation={member} /> : <ErrorsView />
}
