-- The fee of a post that has waited too long for a person. A new value cannot be used in the transaction that adds it.
alter type ledger_reason add value 'review_return';
