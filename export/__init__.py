"""What leaves the explorer: tables with ten significant digits, undefined cells empty."""
