import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Megaphone } from 'lucide-react'
import { Button } from '../ui/button.tsx'

/** The way back to the campaigns, from what is prepared for them. */
export function CampaignsLink() {
  return (
    <Button variant="outline" asChild>
      <Link to="/campaigns">
        <Megaphone />
        <Trans>Campanhas</Trans>
      </Link>
    </Button>
  )
}
