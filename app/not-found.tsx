import type { Metadata } from 'next'
import { Face } from '@/components/ui/face'

export const metadata: Metadata = { title: 'Not found' }

export default function NotFound() {
  return (
    <Face title="There is nothing at this address">
      Check it for a missing letter, or start from your documents.
    </Face>
  )
}
