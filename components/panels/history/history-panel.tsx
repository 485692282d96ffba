'use client'

import { useEffect, useRef, useState } from 'react'
import { canWrite } from '@/components/opening/can-write.ts'
import type { PanelProps } from '@/components/panels/panel-props.ts'
import { Button } from '@/components/ui/button.tsx'
import { usePanelCommand } from '../use-panel-command.ts'
import { SaveVersionForm } from './save-version-form.tsx'
import { VersionList } from './version-list.tsx'
import { VersionSlider } from './version-slider.tsx'
import { VersionView } from './version-view.tsx'
import { readPairHash } from './version-pair.ts'
import { useVersions } from './use-versions.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { historyStrings } from '@/lib/strings/history.ts'
import { panelFramesStrings } from '@/lib/strings/panel-frames.ts'

/** The list of versions, with the chosen one beside it, or in its place if there is little room. */
export default function HistoryPanel(panel: PanelProps) {
  const { document } = panel
  const { data, error, refetch, isFetching } = useVersions(document)
  const versions = data?.versions
  const [pair] = useState(() => (panel.docked ? null : readPairHash(location.hash)))
  const [chosen, setChosen] = useState(pair?.version ?? null)
  const version = versions?.find(({ id }) => id === chosen)
  const close = () => setChosen(null)
  const field = useFocusOnSaveCommand(close)
  return (
    <div className="@container flex flex-1 flex-col">
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)] @3xl:grid-cols-[17rem_1fr]">
        <div
          className={`flex-col gap-3 p-4 @3xl:sticky @3xl:top-0 @3xl:max-h-dvh @3xl:self-start @3xl:overflow-y-auto ${version ? 'hidden @3xl:flex' : 'flex'}`}
        >
          {canWrite(panel) && <SaveVersionForm {...panel} field={field} />}
          {error && (
            <VersionsError message={error.message} isBusy={isFetching} onRetry={() => void refetch()} />
          )}
          {data?.hasRoom === false && (
            <output className="text-sm text-wait">{historyStrings.list.noRoom}</output>
          )}
          {versions && <VersionList versions={versions} chosen={version?.id ?? null} onChoose={setChosen} />}
          {!versions && !error && <p className="text-sm text-muted">{panelFramesStrings.loading}</p>}
        </div>
        {versions && version ? (
          <div className="flex min-w-0 flex-col">
            {versions.length > 1 && (
              <VersionSlider versions={versions} chosen={version} onChoose={setChosen} />
            )}
            <VersionView {...panel} pair={pair} version={version} versions={versions} onClose={close} />
          </div>
        ) : (
          versions && versions.length > 0 && <ChooseVersionHint />
        )}
      </div>
    </div>
  )
}

/** Focuses the name field when a person asked to save a version. The field may be on screen only after the shown version is closed. */
function useFocusOnSaveCommand(close: () => void) {
  const field = useRef<HTMLInputElement>(null)
  const [commandCount, setCommandCount] = useState(0)
  usePanelCommand('history', () => {
    close()
    setCommandCount((now) => now + 1)
  })
  useEffect(() => {
    if (commandCount > 0) field.current?.focus()
  }, [commandCount])
  return field
}

const ChooseVersionHint = () => (
  <p className="hidden place-self-center p-8 text-sm text-muted @3xl:block">{historyStrings.list.choose}</p>
)

interface VersionsErrorProps {
  readonly message: string
  readonly isBusy: boolean
  readonly onRetry: () => void
}

const VersionsError = ({ message, isBusy, onRetry }: VersionsErrorProps) => (
  <div role="alert" className="flex flex-col items-start gap-2 text-sm">
    <p>{historyStrings.list.failed(message)}</p>
    <Button shape="small" onClick={onRetry} disabled={isBusy}>
      {commonStrings.tryAgain}
    </Button>
  </div>
)
