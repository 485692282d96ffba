import { useId, useSyncExternalStore } from 'react'
import type { TransportChoice } from '@/lib/transports/choose-transport.ts'
import { transportChoices } from '@/lib/windows/window-requests.ts'
import type { LinkSharing } from '@/lib/transports/transport.ts'
import { choiceKey, rememberChoice, rememberedChoice } from '@/components/connection/choice'
import {
  rememberedSharing,
  rememberSharing,
  sharingKey,
  sharingNames,
  sharings,
} from '@/components/connection/sharing'
import { explanationOf, nameOf } from '@/components/connection/words'
import { Select } from './select'
import { strings } from '@/lib/strings/settings.ts'

/** What belongs to a browser and its network rather than to a person. */
export function BrowserSettings() {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <h2 id={id} className="-mb-2 font-semibold">
        {strings.browser.title}
      </h2>
      <TransportSetting />
      <SharingSetting />
    </section>
  )
}

function TransportSetting() {
  const id = useId()
  const choice = useStored(rememberedChoice)
  const choose = (next: TransportChoice) => {
    rememberChoice(next, false)
    announce(choiceKey)
  }
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id}>{strings.browser.transport}</label>
      <Select
        id={id}
        value={choice}
        onChange={(next) => choose(next as TransportChoice)}
        describedBy={`${id}-what`}
      >
        {transportChoices.map((each) => (
          <option key={each} value={each}>
            {nameOf(each)}
          </option>
        ))}
      </Select>
      <p id={`${id}-what`} className="text-sm text-muted">
        {explanationOf(choice)}
      </p>
    </div>
  )
}

function SharingSetting() {
  const id = useId()
  const sharing = useStored(rememberedSharing)
  const choose = (next: LinkSharing) => {
    rememberSharing(next)
    announce(sharingKey)
  }
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id}>{strings.browser.sharing}</label>
      <Select id={id} value={sharing} onChange={(next) => choose(next as LinkSharing)}>
        {sharings.map((each) => (
          <option key={each} value={each}>
            {sharingNames[each]}
          </option>
        ))}
      </Select>
    </div>
  )
}

const onStorage = (listener: () => void): (() => void) => {
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}

const useStored = <T extends string>(read: () => T): T => useSyncExternalStore(onStorage, read)

/** The browser tells every window of a change but the one that made it. */
const announce = (key: string): void => void dispatchEvent(new StorageEvent('storage', { key }))
