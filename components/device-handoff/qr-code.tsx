'use client'

import { LazyComponent } from '@/components/ui/lazy-component'

interface QrCodeProps {
  /** An absolute address: the shorter, the larger its squares. */
  readonly text: string
  /** What whoever cannot see it is told: "QR code of the address of Outline". */
  readonly label: string
  /** Its side, the white around it included, in px. */
  readonly size?: number
}

/** Dark on white in every theme: cameras read it so. Its encoder is a chunk of its own; its place is kept meanwhile. */
export function QrCode({ text, label, size = 208 }: QrCodeProps) {
  return (
    <div
      className="shrink-0 overflow-hidden rounded-xl border border-line bg-white"
      style={{ width: size, height: size }}
    >
      <LazyComponent load={loadSquares} props={{ text, label }} />
    </div>
  )
}

const loadSquares = () => import('./qr-squares')
