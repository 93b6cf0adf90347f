-- What a card pays, takes back and disputes. An enum's new value can be used from the next migration on.
alter type ledger_book add value 'disputed';
alter type ledger_reason add value 'payout';          -- unused balance goes back to a card
alter type ledger_reason add value 'payout_return';   -- and could not
alter type ledger_reason add value 'dispute';         -- a disputed payment is held back
alter type ledger_reason add value 'dispute_return';  -- and was won
alter type ledger_reason add value 'dispute_loss';    -- or lost
