'use client'

import { X } from 'lucide-react'
import { Button } from '@/components/ui/button.tsx'
import { Hint } from '@/components/ui/hint.tsx'
import { windowCardClass } from './window-card-class.ts'
import { openNewWindow } from './open-windows.ts'
import { usePageState, type OpenOffer } from './own-page.ts'
import { windowName } from './window-text.ts'
import { Sentence } from '@/components/ui/sentence.tsx'
import { windowsStrings } from '@/lib/strings/windows.ts'

const dismiss = (offer: OpenOffer): void =>
  usePageState.setState(({ offers }) => ({ offers: offers.filter((other) => other !== offer) }))

/** Offers what another window of this person sent here: a browser opens no window without a click. */
export default function OpenOfferCard({ offer }: { offer: OpenOffer }) {
  const name = windowName(offer)
  const open = () => {
    openNewWindow(offer)
    dismiss(offer)
  }
  return (
    <section
      aria-label={windowsStrings.sentHere.label}
      data-pane="sent"
      className={windowCardClass}
      data-screen-only
    >
      <p className="min-w-0 flex-1">
        <Sentence parts={windowsStrings.sentHere.sentence(<strong className="font-medium">{name}</strong>)} />
      </p>
      <output className="sr-only">{windowsStrings.sentHere.announcement(name)}</output>
      <Button look="primary" shape="small" onClick={open}>
        {windowsStrings.sentHere.open}
      </Button>
      <Hint text={windowsStrings.sentHere.dismiss}>
        <Button
          look="quiet"
          shape="icon"
          aria-label={windowsStrings.sentHere.dismiss}
          onClick={() => dismiss(offer)}
        >
          <X size={16} aria-hidden />
        </Button>
      </Hint>
    </section>
  )
}
