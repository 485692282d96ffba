import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Button } from '@/components/ui/button'
import type { LeftByOthers } from '@/lib/sync/local/store.ts'
import { forgetOthers, type FoundOfOthers, leftByOthers } from './forget-others'

/** Somebody else used this browser before: their data is not shown to this person, and this button removes it. */
export function ForgetDevice() {
  const { data: left } = useQuery({
    queryKey: ['left-by-others'],
    queryFn: leftByOthers,
    retry: false,
    gcTime: 0,
  })
  return left && <LeftHere left={left} />
}

function LeftHere({ left }: { left: FoundOfOthers }) {
  const id = useId()
  const forget = useMutation({ mutationFn: forgetOthers, onSuccess: () => location.reload() })
  const busy = forget.isPending || forget.isSuccess
  return (
    <section aria-labelledby={id} className="flex flex-col items-start gap-2">
      <h2 id={id} className="font-semibold">
        Left in this browser by somebody else
      </h2>
      <p id={`${id}-what`} className="text-sm text-muted">
        {sentenceOn(left)} Your own documents stay.
      </p>
      <Button
        look={left.unsent ? 'danger' : 'plain'}
        aria-describedby={`${id}-what`}
        disabled={busy}
        aria-busy={busy}
        onClick={() => forget.mutate(left)}
      >
        Forget this device
      </Button>
      <p role="alert" className="text-sm text-danger empty:absolute">
        {forget.error &&
          'This browser did not remove everything. Close its other windows, reload this one, and try again.'}
      </p>
    </section>
  )
}

function sentenceOn({ documents, unsent }: LeftByOthers): string {
  const texts = documents === 1 ? 'a copy of 1 document' : `copies of ${documents} documents`
  const what = documents === 0 ? 'settings' : `${texts} and settings`
  const lost = unsent ? ' Changes of theirs that were not sent yet are lost.' : ''
  return `“Forget this device” removes ${what} of theirs, and the pages kept for use offline.${lost}`
}
