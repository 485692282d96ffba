import { HardDrive } from 'lucide-react'
import { StorageMeter } from './storage-meter.tsx'
import { storageWarning } from './storage-words.ts'
import { useStorageUsage } from './storage-query.ts'

/** Above the list of documents, once the space is nearly full. */
export function ListStorageNotice() {
  const { data: usage } = useStorageUsage()
  if (!usage?.isNearlyFull) return null
  const { title, hint } = storageWarning(usage)
  return (
    <output className="mt-4 flex items-start gap-3 rounded-xl border border-line bg-raised px-4 py-3">
      <HardDrive size={18} aria-hidden className="mt-0.5 shrink-0 text-wait" />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <p className="text-sm text-pretty">
          <strong className="font-medium">{title}</strong> {hint}
        </p>
        <StorageMeter usage={usage} />
      </div>
    </output>
  )
}
