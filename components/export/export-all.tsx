import { useId, useState } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { toast } from '@/components/ui/toast.ts'
import { exportStrings } from '@/lib/strings/export.ts'
import { sizeText } from '@/lib/strings/storage.ts'
import { saveFile } from '@/components/save-file.ts'
import { fetchExport } from './download-export.ts'

const strings = exportStrings.all

/** It goes on when the settings are closed: whoever has much to export need not wait there. */
export function ExportAll() {
  const id = useId()
  const [received, setReceived] = useState<number | null>(null)
  const onExport = async () => {
    setReceived(0)
    try {
      const { signal } = new AbortController()
      const file = await fetchExport('/api/export', { signal, onProgress: setReceived })
      saveFile(file.name, file.bytes)
      toast(exportStrings.dialog.done(file.name))
    } catch (error) {
      toast.error(strings.failed((error as Error).message))
    }
    setReceived(null)
  }
  return (
    <section aria-labelledby={id} className="flex flex-col items-start gap-1.5">
      <h2 id={id} className="font-semibold">
        {strings.title}
      </h2>
      <p className="text-sm text-muted">{strings.hint}</p>
      <Button className="mt-1" disabled={received !== null} onClick={() => void onExport()}>
        {received === null
          ? strings.button
          : received === 0
            ? exportStrings.dialog.preparing
            : exportStrings.dialog.received(sizeText(received))}
      </Button>
    </section>
  )
}
