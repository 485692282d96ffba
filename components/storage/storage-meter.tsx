import type { StorageUsage } from '@/components/http-api.ts'
import { storageStrings } from '@/lib/strings/storage.ts'

/** How much space somebody uses, in words and as a bar. Without a limit there is no bar. */
export function StorageMeter({ usage: { usedBytes, limitBytes, isNearlyFull } }: { usage: StorageUsage }) {
  if (limitBytes === null) return <p className="text-sm text-muted">{storageStrings.used(usedBytes)}</p>
  const share = Math.min(1, usedBytes / limitBytes)
  const colour = share >= 1 ? 'bg-danger' : isNearlyFull ? 'bg-wait' : 'bg-accent'
  const sentence = storageStrings.usedOf(usedBytes, limitBytes)
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-sm text-muted">{sentence}</p>
      <meter aria-label={storageStrings.title} min={0} max={1} value={share} className="sr-only">
        {sentence}
      </meter>
      <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-sunk ring-1 ring-line">
        <div className={`h-full rounded-full ${colour}`} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  )
}
