import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { queryClient } from '@/components/query-client.ts'
import { Button } from '@/components/ui/button.tsx'
import type { OtherPeopleData } from '@/lib/sync/local/local-records.ts'
import {
  removeOtherPeopleData,
  type FoundOtherPeopleData,
  findOtherPeopleData,
} from './remove-other-people-data.ts'
import { settingsStrings } from '@/lib/strings/settings.ts'

/** Shown if somebody else used this browser before: this person cannot see their data, and this button removes it. */
export function OtherPeopleDataSetting() {
  const { data: found } = useQuery(
    {
      queryKey: ['left-by-others'],
      queryFn: findOtherPeopleData,
      retry: false,
      gcTime: 0,
    },
    queryClient,
  )
  return found && <RemoveDataForm left={found} />
}

function RemoveDataForm({ left: found }: { left: FoundOtherPeopleData }) {
  const id = useId()
  const removal = useMutation(
    { mutationFn: removeOtherPeopleData, onSuccess: () => location.reload() },
    queryClient,
  )
  const busy = removal.isPending || removal.isSuccess
  return (
    <section aria-labelledby={id} className="flex flex-col items-start gap-2">
      <h2 id={id} className="font-semibold">
        {settingsStrings.forget.title}
      </h2>
      <p id={`${id}-what`} className="text-sm text-muted">
        {hintText(found)}
      </p>
      <Button
        look={found.unsent ? 'danger' : 'plain'}
        aria-describedby={`${id}-what`}
        disabled={busy}
        aria-busy={busy}
        onClick={() => removal.mutate(found)}
      >
        {settingsStrings.forget.confirm}
      </Button>
      <p role="alert" className="text-sm text-danger empty:absolute">
        {removal.error && settingsStrings.forget.failed}
      </p>
    </section>
  )
}

function hintText({ documents, unsent }: OtherPeopleData): string {
  const { settings, copies, unsent: unsentText, own } = settingsStrings.forget
  const removedText = documents === 0 ? settings : copies(documents)
  return [removedText, ...(unsent ? [unsentText] : []), own].join(' ')
}
