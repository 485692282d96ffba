import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Button } from '@/components/ui/button'
import type { OtherPeopleData } from '@/lib/sync/local/local-store.ts'
import { forgetOthers, type FoundOfOthers, leftByOthers } from './forget-others'
import { strings } from '@/lib/strings/settings.ts'

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
        {strings.forget.title}
      </h2>
      <p id={`${id}-what`} className="text-sm text-muted">
        {hintOn(left)}
      </p>
      <Button
        look={left.unsent ? 'danger' : 'plain'}
        aria-describedby={`${id}-what`}
        disabled={busy}
        aria-busy={busy}
        onClick={() => forget.mutate(left)}
      >
        {strings.forget.confirm}
      </Button>
      <p role="alert" className="text-sm text-danger empty:absolute">
        {forget.error && strings.forget.failed}
      </p>
    </section>
  )
}

function hintOn({ documents, unsent }: OtherPeopleData): string {
  const { settings, copies, unsent: lost, own } = strings.forget
  const removed = documents === 0 ? settings : copies(documents)
  return [removed, ...(unsent ? [lost] : []), own].join(' ')
}
