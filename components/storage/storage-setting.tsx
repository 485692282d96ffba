import { useId } from 'react'
import { StorageMeter } from './storage-meter.tsx'
import { useStorageUsage } from './storage-query.ts'
import { storageStrings } from '@/lib/strings/storage.ts'

export function StorageSetting() {
  const id = useId()
  const { data: usage } = useStorageUsage()
  if (!usage) return null
  return (
    <section aria-labelledby={id} className="flex flex-col gap-1.5">
      <h2 id={id} className="font-semibold">
        {storageStrings.title}
      </h2>
      <StorageMeter usage={usage} />
      <p className="text-sm text-muted">{storageStrings.counted}</p>
    </section>
  )
}
