import { useEffect, useState } from 'react'
import type { VersionEntry } from '@/components/http-api.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { versionNameText } from './history-text.ts'
import { historyStrings } from '@/lib/strings/history.ts'

/** In ms. A version is read from the server once the slider rests on it. */
const REST_MS = 200

interface VersionSliderProps {
  /** Newest first. */
  readonly versions: readonly VersionEntry[]
  readonly chosen: VersionEntry
  readonly onChoose: (version: string) => void
}

/** Goes through time: the oldest version on the left. */
export function VersionSlider({ versions, chosen, onChoose }: VersionSliderProps) {
  const { language } = useSettings()
  const [pointed, setPointed] = useState<string | null>(null)
  useEffect(() => {
    if (pointed === null) return
    const timer = setTimeout(() => {
      onChoose(pointed)
      setPointed(null)
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [pointed, onChoose])
  const shown = versions.find(({ id }) => id === pointed) ?? chosen
  const last = versions.length - 1
  const number = versions.length - versions.indexOf(shown)
  const text = versionNameText(shown, language)
  return (
    <label className="flex flex-col gap-1 px-4 pt-4 text-sm text-muted @3xl:border-l @3xl:border-line @3xl:px-8">
      <span aria-hidden>{historyStrings.list.sliderText(text, number, versions.length)}</span>
      <input
        type="range"
        aria-label={historyStrings.list.slider}
        aria-valuetext={historyStrings.list.sliderText(text, number, versions.length)}
        min={0}
        max={last}
        value={number - 1}
        onChange={({ target }) => setPointed(versions[last - Number(target.value)]!.id)}
        className="w-full accent-accent"
      />
    </label>
  )
}
