import { useAdding } from '../actions/use-adding.ts'
import type { QuickAddRequest } from '../session/quick-add-context.ts'
import { QuickAdd } from './quick-add.tsx'

interface AskedQuickAddProps {
  readonly request: QuickAddRequest
  readonly onClose: () => void
}

/** Adds what is chosen where it was asked for. */
export function AskedQuickAdd({ request, onClose }: AskedQuickAddProps) {
  const adding = useAdding()
  return (
    <QuickAdd
      request={request}
      onClose={onClose}
      onChoose={(offer) => {
        onClose()
        if (request.isInView === true) adding.addInView(offer)
        else if (isWired(request)) adding.addAt(offer, request.screen, request)
        else adding.addNear(offer, request.screen)
      }}
    />
  )
}

function isWired({ handle, into }: QuickAddRequest): boolean {
  return handle !== undefined || into !== undefined
}
