import { lossSentences } from '@/lib/export/features.ts'
import { exportStrings } from '@/lib/strings/export.ts'
import type { ExportChoice } from './format-choices.tsx'
import type { ExportedFeatures } from './use-exported-features.ts'

const strings = exportStrings.dialog

interface LossListProps {
  readonly format: ExportChoice
  readonly features: ExportedFeatures
}

/** Says what of this document a format cannot hold, before it is exported. */
export function LossList({ format, features: { found, hasFailed } }: LossListProps) {
  if (!found) return <p className="text-sm text-muted">{hasFailed ? strings.notChecked : strings.checking}</p>
  // The browser prints the HTML page, so print loses what HTML does.
  const sentences = lossSentences(found, format === 'print' ? 'html' : format)
  return (
    <div aria-live="polite" className="rounded-lg bg-sunk px-3.5 py-2.5 text-sm">
      {sentences.length === 0 ? (
        <p className="text-muted">{strings.nothingLost}</p>
      ) : (
        <>
          <p className="font-medium">{strings.lost}</p>
          <ul className="mt-1 list-disc pl-5 text-muted">
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
