"""Making the record of a kind, choice by choice."""
